/* SPDX-License-Identifier: BSD-3-Clause
 * What the tests of files share; see files.h. */
#include "files.h"

int world_rank, world_size;
char directory[256];

const char *in_directory(const char *name) {
  static char paths[4][512];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", directory, name);
  return path;
}

int entries(int *temporary) {
  int count = 0;
  DIR *d = opendir(directory);
  *temporary = 0;
  for (struct dirent *f = d ? readdir(d) : NULL; f; f = readdir(d)) {
    count += strcmp(f->d_name, ".") != 0 && strcmp(f->d_name, "..") != 0;
    *temporary += strstr(f->d_name, ".pfft3d-") != NULL;
  }
  if (d) closedir(d);
  return count;
}

const char *probe_program(void) {
  const char *program = getenv("PFFT3D");
  return program && access(program, X_OK) == 0 ? program : NULL;
}

void files_begin(int *argc, char ***argv) {
  const char *tmp = getenv("TMPDIR");
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  snprintf(directory, sizeof directory, "%.200s/pfft3d-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (world_rank == 0 && !mkdtemp(directory)) MPI_Abort(MPI_COMM_WORLD, 99);
  MPI_Bcast(directory, sizeof directory, MPI_CHAR, 0, MPI_COMM_WORLD);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  pf_io_set_probe(probe_program());
}

int files_end(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  DIR *d = world_rank == 0 ? opendir(directory) : NULL;
  for (struct dirent *f = d ? readdir(d) : NULL; f; f = readdir(d))
    if (unlink(in_directory(f->d_name))) rmdir(in_directory(f->d_name));
  if (d) closedir(d);
  if (world_rank == 0) rmdir(directory);
  return check_result();
}

/* The number of global element g: fits every integer type. */
static double real_of(ptrdiff_t g) {
  return (double)(g * 7 % 101);
}

static double imaginary_of(ptrdiff_t g) {
  return -(double)(g % 13);
}

/* Local. Numbers in an element: 1 or 2. */
static int element_parts(elements x) {
  return x.numbers == PFFT3D_REAL ? 1 : 2;
}

size_t bytes_of(elements x) {
  return (size_t)element_parts(x) * (x.precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double));
}

ptrdiff_t box_count(const pfft3d_box *box) {
  return box->len[0] * box->len[1] * box->len[2];
}

ptrdiff_t box_numbers(const ptrdiff_t n[3], const pfft3d_box *box, elements x, void *array,
                      int is_complex, int compare) {
  ptrdiff_t wrong = 0, parts = element_parts(x), count = parts * box_count(box);
  float *floats = array;
  double *doubles = array;
  for (ptrdiff_t i = 0; i < count; i++) {
    ptrdiff_t at = i / parts, row = at / box->len[2];
    ptrdiff_t i0 = box->lo[0] + row / box->len[1], i1 = box->lo[1] + row % box->len[1];
    ptrdiff_t g = (i0 * n[1] + i1) * n[2] + box->lo[2] + at % box->len[2];
    double want = i % parts == 0 ? real_of(g) : is_complex ? imaginary_of(g) : 0;
    if (compare)
      wrong += !((x.precision == PFFT3D_SINGLE ? (double)floats[i] : doubles[i]) == want);
    else if (x.precision == PFFT3D_SINGLE)
      floats[i] = (float)want;
    else
      doubles[i] = want;
  }
  return wrong;
}

/* Local. Cuts axis a of a box into parts and takes one, nothing beyond the last. */
static void cut_axis_of(pfft3d_box *box, int a, int parts, int part) {
  ptrdiff_t q = box->len[a] / parts, r = box->len[a] % parts;
  box->lo[a] = part >= parts ? 0 : part * q + (part < r ? part : r);
  box->len[a] = part >= parts ? 0 : q + (part < r);
}

pfft3d_box box_of(const ptrdiff_t n[3], int rank, int ranks, int cut) {
  pfft3d_box box = {.len = {n[0], n[1], n[2]}};
  int first = 1;
  while ((first + 1) * (first + 1) <= ranks) first++;
  int second = ranks / first, c0 = rank / second, c1 = rank % second;
  if (cut == CUT_LAST) {
    if (rank != ranks - 1) box.len[0] = 0;
  } else if (cut == CUT_INNER) {
    for (int a = 0; a < 3; a++)
      if (n[a] > 2) box.lo[a] = 1, box.len[a] -= 2;
  } else if (cut == CUT_SLABS) {
    cut_axis_of(&box, 0, ranks, rank);
  } else {
    cut_axis_of(&box, cut == CUT_12, first, c0);
    cut_axis_of(&box, cut == CUT_01 ? 1 : 2, second, c1);
  }
  return box; /* without strides: nobody looks at them */
}

void *box_array(const pfft3d_box *box) {
  size_t count = (size_t)box_count(box);
  return count ? malloc(count * 2 * sizeof(double)) : NULL;
}

/* Local. The type in the file; to be closed. */
static hid_t made_type(const made *m, hid_t part) {
  if (!m->names) return H5Tcopy(part);
  hid_t type = H5Tcreate(H5T_COMPOUND, 2 * H5Tget_size(part));
  H5Tinsert(type, m->names[0], 0, part);
  H5Tinsert(type, m->names[1], H5Tget_size(part), part);
  return type;
}

hid_t open_file(const char *file, int more) {
  return more ? H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT)
              : H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
}

int make_dataset(hid_t file, const char *path, const made *m) {
  hsize_t chunk[4], count = 1;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  for (int a = 0; a < m->dims; a++) {
    count *= m->n[a];
    chunk[a] = m->chunk < m->n[a] ? m->chunk : m->n[a];
  }
  if (m->chunk == MADE_COMPACT) H5Pset_layout(list, H5D_COMPACT);
  if (m->chunk && m->chunk != MADE_COMPACT) H5Pset_chunk(list, m->dims, chunk);
  if (m->deflate) {
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 6);
  }
  double *numbers = malloc((size_t)(count * 2 + 2) * sizeof *numbers);
  ptrdiff_t each = m->names ? 2 : 1;
  for (ptrdiff_t g = 0; g < (ptrdiff_t)count; g++) {
    numbers[each * g] = real_of(g);
    if (m->names) numbers[2 * g + 1] = imaginary_of(g);
  }
  hid_t type = made_type(m, m->type), memory = made_type(m, H5T_NATIVE_DOUBLE);
  hid_t space = H5Screate_simple(m->dims, m->n, NULL);
  hid_t d = H5Dcreate2(file, path, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  int ok = d >= 0 && H5Dwrite(d, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0;
  if (d >= 0) H5Dclose(d);
  H5Sclose(space);
  H5Tclose(memory);
  H5Tclose(type);
  H5Pclose(list);
  free(numbers);
  return ok;
}

int make_file(const char *file, const char *path, const made *m) {
  hid_t f = open_file(file, 0);
  int ok = f >= 0 && make_dataset(f, path, m);
  return f >= 0 && H5Fclose(f) >= 0 && ok;
}

void make_small(const char *file, pfft3d_dataset **d) {
  const made m = {H5T_STD_U8LE, NULL, 3, {4, 3, 2}, 0, 0};
  pfft3d_error e;
  if (world_rank == 0) CHECK(make_file(file, "/data", &m), "%s", file);
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, d, &e) == 0, "%s", e.text);
}

void make_bare(const char *file, hid_t type, int dims, const hsize_t *n, hid_t list) {
  hid_t f = open_file(file, 0);
  hid_t space = dims ? H5Screate_simple(dims, n, NULL) : H5Screate(H5S_SCALAR);
  hid_t d = H5Dcreate2(f, "/data", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  CHECK(d >= 0, "%s", file);
  if (d >= 0) H5Dclose(d);
  H5Sclose(space);
  H5Fclose(f);
}

/* A filter that exists while the file is made, and no longer: 299. */
static size_t filter_nothing(unsigned flags, size_t values, const unsigned *value, size_t bytes,
                             size_t *size, void **buffer) {
  (void)flags, (void)values, (void)value, (void)size, (void)buffer;
  return bytes;
}

void make_filtered(const char *file) {
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, 299, 1, 1, "rare", NULL, NULL, filter_nothing};
  const hsize_t n[3] = {4, 3, 2};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Zregister(&filter);
  H5Pset_chunk(list, 3, n);
  H5Pset_filter(list, 299, H5Z_FLAG_MANDATORY, 0, NULL);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  make_bare(file, H5T_STD_U8LE, 3, n, list);
  H5Pclose(list);
  H5Zunregister(299);
}

long open_ids(void) {
  static const H5I_type_t kinds[] = {H5I_FILE,    H5I_GROUP, H5I_DATATYPE,   H5I_DATASPACE,
                                     H5I_DATASET, H5I_ATTR,  H5I_GENPROP_LST};
  long sum = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    hsize_t count = 0;
    if (H5Inmembers(kinds[k], &count) >= 0) sum += (long)count;
  }
  return sum;
}

long next_communicator(void) {
  MPI_Comm c;
  MPI_Comm_dup(MPI_COMM_WORLD, &c);
  long handle = (long)MPI_Comm_c2f(c);
  MPI_Comm_free(&c);
  return handle;
}
