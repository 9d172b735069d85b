"""What a provider is: three files (source.yaml, requests.py, parse.py), and the types in which they speak."""
