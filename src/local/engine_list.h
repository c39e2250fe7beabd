/* One line per engine; the first that supports a length is what "auto" takes. */
PF_ENGINE(simd)
PF_ENGINE(fftw)
PF_ENGINE(naive)
