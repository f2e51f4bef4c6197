"""The command line of this package, one module a group of commands; `python -m search_client --help` lists them."""
