/** \file
   The parts that need no libtorch, for C and for the foreign-function interfaces of other
   languages: libfloydnet_c.so. Options are texts of JSON objects, null for the defaults; unknown
   keys are refused.

   Functions that return a pointer return null when they fail. floydnet_error() and
   floydnet_error_kind() then tell why, in the thread that called.

   Whoever gets a pointer to a handle frees it with the matching _free function, which takes null,
   too. Texts and arrays inside a handle live as long as it does; the text of floydnet_error() until
   the next failure in the thread. Different handles may be used by different threads; one handle by
   one thread at a time, but graphs that are only read by any number. */
#ifndef FLOYDNET_C_H
#define FLOYDNET_C_H

#include <stdint.h>

#include "floydnet/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Why the last call that failed in this thread did: one line. */
FLOYDNET_EXPORT const char* floydnet_error(void);
/** 1: bad input (InputError), 2: misuse (std::invalid_argument), 3: out of memory, 4: any other. */
FLOYDNET_EXPORT int floydnet_error_kind(void);

FLOYDNET_EXPORT const char* floydnet_version(void);

/* --- Named arrays */

/** What all functions give back; in this machine's byte order and C order. */
typedef struct floydnet_arrays floydnet_arrays;

FLOYDNET_EXPORT int64_t floydnet_arrays_count(const floydnet_arrays* arrays);
FLOYDNET_EXPORT const char* floydnet_arrays_name(const floydnet_arrays* arrays, int64_t index);
/** NumPy's type without byte order: "f8", "i8", "b1", "S12". */
FLOYDNET_EXPORT const char* floydnet_arrays_type(const floydnet_arrays* arrays, int64_t index);
FLOYDNET_EXPORT int64_t floydnet_arrays_dimensions(const floydnet_arrays* arrays, int64_t index);
FLOYDNET_EXPORT const int64_t* floydnet_arrays_shape(const floydnet_arrays* arrays, int64_t index);
FLOYDNET_EXPORT const void* floydnet_arrays_data(const floydnet_arrays* arrays, int64_t index);
FLOYDNET_EXPORT void floydnet_arrays_free(floydnet_arrays* arrays);

/* --- Graphs */
typedef struct floydnet_graph floydnet_graph;

/** edges: [count, 2]. An edge that is given twice is refused. */
FLOYDNET_EXPORT floydnet_graph* floydnet_graph_new(int64_t nodes, const int64_t* edges,
                                                   int64_t count, int directed);
/** graph6, digraph6 or sparse6. */
FLOYDNET_EXPORT floydnet_graph* floydnet_graph_parse(const char* text);
/** Categories of nodes, [nodes], from 0 on; 0 where it fails. */
FLOYDNET_EXPORT int floydnet_graph_set_node_categories(floydnet_graph* graph,
                                                       const int64_t* categories, int64_t count);
/** "nodes", "directed" and "edges" [count, 2]. */
FLOYDNET_EXPORT floydnet_arrays* floydnet_graph_arrays(const floydnet_graph* graph);
FLOYDNET_EXPORT void floydnet_graph_free(floydnet_graph* graph);

/* --- CLRS data (floydnet/clrs_data.h) */
typedef struct floydnet_samples floydnet_samples;

/** "algorithms": the names of all. */
FLOYDNET_EXPORT floydnet_arrays* floydnet_clrs_algorithms(void);
/** Options: length, seed, hints, edge_probabilities, needle_length. */
FLOYDNET_EXPORT floydnet_samples* floydnet_clrs_samples(const char* algorithm, const char* options);
FLOYDNET_EXPORT floydnet_arrays* floydnet_clrs_next(floydnet_samples* samples, int64_t count);
FLOYDNET_EXPORT void floydnet_clrs_free(floydnet_samples* samples);

/* --- k-FWL (floydnet/wl.h) */

/** Gives "distinguished", "sizes_differ", "stable", "compressed", "rounds" and "colours". Options:
   order, rounds (-1: until stable), threads, max_bytes, evaluation (auto, dense, compressed). */
FLOYDNET_EXPORT floydnet_arrays* floydnet_wl_compare(const floydnet_graph* a,
                                                     const floydnet_graph* b, const char* options);

/* --- Counting (floydnet/counting.h) */

/** Gives graph/NAME [graphs], node/NAME and pair/NAME, one graph after the other, and "sizes".
   Options: nodes, pairs (whether these levels are wanted), threads, max_bytes. */
FLOYDNET_EXPORT floydnet_arrays* floydnet_count(const floydnet_graph* const* graphs, int64_t count,
                                                const char* patterns, const char* options);

/* --- The travelling salesman (floydnet/tsp.h) */

/** weights: [cities, cities]. Gives "tour" [cities], "length", "bound", "proven", "nodes", "cuts",
   "seconds" and, if wanted, "certificate". Options: seed, time_limit (seconds, 0: none),
   certificate. */
FLOYDNET_EXPORT floydnet_arrays* floydnet_tsp_solve(const int64_t* weights, int64_t cities,
                                                    const char* options);
/** Gives the optimal "tour" that a certificate proves, and its "length". */
FLOYDNET_EXPORT floydnet_arrays* floydnet_tsp_verify(const int64_t* weights, int64_t cities,
                                                     const char* certificate);

#ifdef __cplusplus
}
#endif

#endif
