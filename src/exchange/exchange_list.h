/* One line per exchange. */
PF_EXCHANGE(packed)
PF_EXCHANGE(pairwise)
PF_EXCHANGE(alltoallw)
PF_EXCHANGE(slabs)
PF_EXCHANGE(pencils)
PF_EXCHANGE(persistent)
PF_EXCHANGE(rma)
PF_EXCHANGE(shared)
