from tests.search_client.index.shop import shop

__all__ = ["shop"]
