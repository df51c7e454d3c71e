// Package viewer is the profiler's interactive screen: history, table, call structure, timeline, cards and menus.
//
//	package main
//
//	import (
//		"image"
//		"image/png"
//		"os"
//
//		"example.com/iprof"
//		"example.com/iprof/draw"
//		"example.com/iprof/draw/soft"
//		"example.com/iprof/process"
//		"example.com/iprof/viewer"
//	)
//
//	func main() {
//		iprof.Begin("work").End()
//		iprof.Update()
//		panel := viewer.PanelFor(process.Default())
//		panel.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
//		var l draw.List
//		panel.Draw(&l, 1280, 720, 1) // in a loop, call l.Reset before
//		m := image.NewRGBA(image.Rect(0, 0, 1280, 720))
//		soft.Render(m, &l)
//		png.Encode(os.Stdout, m)
//	}
//
// A [Panel] lays the screen out as a [draw.List]; it draws no pixels. Package [example.com/iprof/draw/gl] shows the
// list in an OpenGL window. Package [example.com/iprof/input] controls the panel with keys and the mouse. [Panel.HitAt]
// finds the part of the screen at a point.
//
// Each [Panel.Draw] takes one [process.Snapshot] of the session, so all parts of the screen show the same moment. The
// table of [Commands] lists all actions of a user: keys, menus, the help, the console, the terminal page and remote
// control share it.
//
// This package contains the screen as a whole: Panel, commands, header, menus and help. Each large part of the screen
// is a package below viewer/internal: strip (the history), table, icicle (the call structure), timeline and card (of
// one zone). They draw the data of a scene with the kit in canvas. Package [hit] names the thing at a place.
package viewer
