"""The tag of the unittest suites. Under pytest it is `@pytest.mark.shows`."""


def shows(*cases):
    """Names the cases of docs/spec.md and the controls of docs/security.md that a test shows; cases.py reads them."""
    return lambda test: test
