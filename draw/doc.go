// Package draw lays out what the profiler shows: a report, a graph, a whole screen, as a List of quads over one Atlas. It
// draws no pixel itself. draw/gl plays a List with OpenGL, draw/soft into an image, and any program that can draw textured
// triangles can:
//
//	var l draw.List
//	draw.PanelFor(session).Draw(&l, width, height, 1)
//	// upload l.Atlas.Image when l.Atlas.Generation changed; then for each four vertices the triangles 0,1,2 and 0,2,3,
//	// each pixel the vertex colour, its alpha times the atlas's coverage
//
// The layout reads a process.Session and changes nothing in it.
package draw
