// Package draw lays out a report or a graph as a [List] of quads over one [Atlas].
//
//	var l draw.List
//	draw.AppendReport(&l, report, 10, 10, 600, 400, draw.ReportOptions{})
//	draw.AppendGraph(&l, series, 0, 10, 500, 2, 8, draw.GraphOptions{})
//	// Upload l.Atlas.Image when l.Atlas.Generation changed.
//	// For each four vertices draw the triangles 0,1,2 and 0,2,3.
//	// A pixel has the vertex colour; its alpha is multiplied by the coverage in the atlas.
//
// The package draws no pixels. Packages draw/gl (OpenGL) and draw/soft (an image) play a List. So can any program
// that draws textured triangles. Package viewer lays out the interactive screen with this package's shapes, text,
// colours and numbers.
package draw
