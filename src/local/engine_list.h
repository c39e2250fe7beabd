/* One line per engine; "auto" takes the first that supports a length.  Engines of devices come
 * last. */
PF_ENGINE(simd)
#ifdef PF_HAVE_FFTW
PF_ENGINE(fftw)
#endif
#ifdef PF_HAVE_MKL
PF_ENGINE(mkl)
#endif
PF_ENGINE(naive)
PF_ENGINE(stockham4)
PF_ENGINE(recursive)
#ifdef PF_HAVE_OPENCL
PF_ENGINE(opencl)
#endif
