/* One line per scheme; the names are the choices of --decomp. */
PF_SCHEME(slab, "one axis cut: one exchange, or two in natural order")
PF_SCHEME(pencil, "two axes cut on a grid of ranks: two exchanges, or four in natural order")
