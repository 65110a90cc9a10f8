/* Counts triangles through the C functions. */
#include <floydnet/c.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const int64_t edges[] = {0, 1, 1, 2, 0, 2, 2, 3};
  floydnet_graph* graph = floydnet_graph_new(4, edges, 4, 0);
  const floydnet_graph* graphs[1];
  graphs[0] = graph;
  floydnet_arrays* counts = floydnet_count(graphs, 1, "cycle3", NULL);
  if (counts == NULL) {
    fprintf(stderr, "%s\n", floydnet_error());
    return 1;
  }
  for (int64_t i = 0; i < floydnet_arrays_count(counts); ++i) {
    if (strcmp(floydnet_arrays_name(counts, i), "graph/cycle3") != 0) continue;
    printf("%d triangle\n", (int)*(const int64_t*)floydnet_arrays_data(counts, i));
  }
  floydnet_arrays_free(counts);
  floydnet_graph_free(graph);
  return 0;
}
