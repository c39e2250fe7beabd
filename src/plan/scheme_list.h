/* One line per scheme; the names are the choices of --decomp. */
PF_SCHEME(slab)
PF_SCHEME(pencil)
