/* One line per exchange. */
PF_EXCHANGE(packed)
PF_EXCHANGE(slabs)
PF_EXCHANGE(pencils)
PF_EXCHANGE(shared)
