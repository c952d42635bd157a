"""The other systems of the literature: Boilerpipe, the tree filter, FIASCO."""
