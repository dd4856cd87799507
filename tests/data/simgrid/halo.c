/* A halo exchange on a 4x2 torus of ranks with the collectives around it: traced by smpirun -trace-ti. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, columns = 4;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int rows = size / columns, row = rank / columns, column = rank % columns;
  double parameters[3] = {1, 2, 3};
  MPI_Bcast(parameters, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  enum { cells = 16 };
  double halo[4][cells] = {{0}}, edge[4][cells] = {{0}}, own = rank, all = 0, above = 0;
  int near[4] = {row * columns + (column + 1) % columns, row * columns + (column + columns - 1) % columns,
                 (row + 1) % rows * columns + column, (row + rows - 1) % rows * columns + column};
  for (int iteration = 0; iteration < 3; ++iteration) {
    MPI_Request requests[8];
    for (int side = 0; side < 4; ++side)
      MPI_Irecv(halo[side], cells, MPI_DOUBLE, near[side ^ 1], side, MPI_COMM_WORLD, &requests[side]);
    for (int side = 0; side < 4; ++side)
      MPI_Isend(edge[side], cells, MPI_DOUBLE, near[side], side, MPI_COMM_WORLD, &requests[4 + side]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Sendrecv(&own, 1, MPI_DOUBLE, (rank + 1) % size, 7, &above, 1, MPI_DOUBLE, (rank + size - 1) % size, 7,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Request request;
  if (rank == 0) {
    MPI_Recv(&above, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&above, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank <= 2) {
    MPI_Isend(&own, 1, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, &request);
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done) MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  double* everything = malloc(sizeof(double) * size * cells);
  MPI_Gather(edge[0], cells, MPI_DOUBLE, everything, cells, MPI_DOUBLE, 3, MPI_COMM_WORLD);
  MPI_Allgather(&own, 1, MPI_DOUBLE, everything, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Alltoall(edge[0], 2, MPI_DOUBLE, everything, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Scatter(everything, 2, MPI_DOUBLE, edge[0], 2, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 2, MPI_COMM_WORLD);
  MPI_Scan(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  int counts[64], places[64];
  for (int r = 0; r < size; ++r) counts[r] = r + 1, places[r] = r * (r + 1) / 2;
  MPI_Gatherv(edge[0], rank + 1, MPI_DOUBLE, everything, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Allgatherv(edge[0], rank + 1, MPI_DOUBLE, everything, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Scatterv(everything, counts, places, MPI_DOUBLE, edge[0], rank + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Reduce_scatter(everything, edge[0], counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  int sent[64], got[64], sp[64], gp[64];
  for (int r = 0; r < size; ++r) sent[r] = (rank + r) % 3, got[r] = (rank + r) % 3, sp[r] = 2 * r, gp[r] = 2 * r;
  double* received = malloc(sizeof(double) * size * 2);
  MPI_Alltoallv(everything, sent, sp, MPI_DOUBLE, received, got, gp, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  free(received);
  free(everything);
  return 0;
}
