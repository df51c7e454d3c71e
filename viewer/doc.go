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
// finds the part of the screen at a point. [PanelFor] returns the panel of a program's own window; [NewPanel] makes
// that of a second one, with a view of its own.
//
// Each [Panel.Draw] takes one [process.Snapshot] of the session, so all parts of the screen show the same moment. The
// table of [Commands] lists all actions of a user: keys, menus, the help, the console, the terminal page and remote
// control share it.
//
// # Inside
//
//	input, console --> Panel: layout, commands, passes on what happens
//	                     |   one Snapshot a Draw
//	                   parts: header, notices, history, structure, timeline, table, card, lists, answer,
//	                     |    menus, help, guide; shared: what they share
//	                   scene --> strip, table, icicle, timeline, card, answer, list
//	                               |
//	                             canvas --> draw.List, and areas with their hits
//
// Panel lays out its parts, and passes on draws, presses, keys and commands. A part is a type of this package that
// embeds shared, with its own state and methods such as Draw, Mouse and Key. It refers to no other part. What two parts
// need is in shared: the session, the picture's data (scene), the kit, the options, notes, and what lies over the
// screen. TestPartsKnowNoOtherPart holds that.
//
// What a large part draws is a package below viewer/internal. It knows the data of one picture and the kit, but neither
// the panel nor another part:
//
//   - canvas is the kit: text, chips, buttons, notices, tips, the areas that react to the mouse. It knows no data.
//   - scene has one Snapshot, the object under the mouse, the results of a search, how a zone is highlighted, and where
//     a column of the history lies.
//   - listing makes the rows of lists such as calls and slow calls; list draws them.
//   - strip is the history, with the strips of slowest frames, memory and values; table is the rows; icicle the call
//     structure; timeline the bands of lanes; answer a verdict as a picture; card one zone.
//   - [hit] names the object at a place of the screen.
//
// Draw takes the lock, and returns the last picture if nothing has changed. take asks the session for one Snapshot with
// all the data of the screen (requests), or keeps the last one while the mouse is over it. layout divides the screen;
// it does not depend on data that changes by itself, so nothing moves. Each part draws into the list, and adds an area
// for each place that reacts to the mouse. Tips, menu, help and guide are drawn last. A part that still moves reports
// it (Settling), so that a host that draws only on changes continues.
//
// Input goes the other way. [Panel.Mouse], [Panel.Wheel] and [Panel.Key] take the events; package input translates them
// from the host's. HitAt finds the topmost area of the last picture. A press there changes the part, begins a drag or
// runs a command. A [Command] stands in commandlist.go, with its name, keys, help, arguments and functions. There is no
// other list. Its function stands in the file of its subject: rows.go, frames.go, report.go, measure.go, timeline.go,
// display.go, output.go.
//
// Invariants:
//
//   - Drawing does not call the session. All parts of a picture show the same moment.
//   - Steady drawing allocates nothing. Text is formatted into the canvas's buffer, or only when it has changed.
//   - A part reads its own memory of the last Draw (places, scales) and writes it in the next, under the panel's lock.
//   - Names and texts may be hostile. They are measured, cut and escaped where they are drawn.
//   - Places keep their sizes when numbers change. Layers, bands and columns keep their order for a while.
package viewer
