"""The module's tests find the search pattern in the plugin; MultiQC would have it among its own."""

import pytest

from multiqc_basesweep import add_search_pattern


@pytest.fixture(autouse=True)
def search_pattern():
    add_search_pattern()
