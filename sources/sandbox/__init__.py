"""A constructed world, and a server on this machine that speaks of it in the wire forms of real providers.

With it a whole build runs over HTTP without a key, and limits, failures and oddities of providers can be tested.

    python -m sources.sandbox --region sample --seed 1 --time-scale 60     prints `sandbox http://127.0.0.1:PORT`
    python -m sources.sandbox --region sample --seed 1 --write-truth FILE  what is true in that world, as JSON

- `world`: what is true, per region and seed, written down before any provider encodes it, so that tests compare tables
  with it. `places` (with `hotels` and `opening`), `roads`, `trains` and their `delays`, `flights` and their
  `punctuality`, `buses`, `crowd`, `prices`, `happenings` are its shares; `ground` is what all of it stands on.
- A **provider** is a package here (`osm`) with `routes(world, clock)`; it is mounted at `/<its name>`. Its answers have
  the key sets, types and oddities of genuine ones. `--provider FILE` mounts a module from elsewhere under its name.
- `clock`, `limiter`: limits as strict as the real ones, on a clock that runs `--time-scale` times as fast.
- `faults`: answers that are spoilt on their way, at a seeded rate.
- `recorder`: `/_log` gives each answered request as a JSON line, with the calls that came within the limit's window.
- `process`: the server as a child process that ends with its parent.

Nothing here imports a parser or anything else of a real source: what both got wrong would look right. All that is
served says that it is constructed: every answer in the header `X-Constructed`, every name by its first word.
"""
