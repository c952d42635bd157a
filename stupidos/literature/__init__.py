"""The other systems of the literature: Boilerpipe, BTE, the tree filter, FIASCO."""
