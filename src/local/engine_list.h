/* One line per engine; the first that supports a length is what "auto" takes. */
PF_ENGINE(simd)
#ifdef PF_HAVE_FFTW
PF_ENGINE(fftw)
#endif
PF_ENGINE(naive)
PF_ENGINE(stockham4)
PF_ENGINE(recursive)
