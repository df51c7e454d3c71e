// Package icon draws the viewer's icon: a history of frames as adjoining columns of zones, one of them over the
// budget.
//
// It is drawn on a grid of 16 by 16. At every usual size its edges lie on whole pixels and need no smoothing.
package icon

import "image/color"

// side is the side of the grid.
const side = 16

// corner is the radius of the ground's corners, in units of the grid.
const corner = 3.0

// rectangle is a part of the picture, in units of the grid, y down.
type rectangle struct {
	x, y, width, height float64
	color               color.NRGBA
}

// The colours of the display.
var (
	ground  = color.NRGBA{22, 27, 34, 255}
	budget  = color.NRGBA{150, 160, 173, 255}
	cursor  = color.NRGBA{240, 244, 250, 255}
	zones   = [...]color.NRGBA{{88, 166, 255, 255}, {86, 201, 141, 255}, {240, 174, 77, 255}, {250, 110, 110, 255}}
	columns = [...][len(zones)]float64{{4, 1}, {3, 2}, {4, 1, 1}, {4, 2, 1, 4}, {3, 1, 1}, {4, 1}}
)

const (
	left, base = 2, 13 // left and bottom end of the columns
	broad      = 2     // width of a column
	spike      = 3     // the column over the budget
	allowed    = 7     // height of the budget line
)

// rectangles returns the parts of the picture on the ground, back to front.
func rectangles() (all []rectangle) {
	for x := 0.0; x < broad*float64(len(columns)); x += 2 {
		all = append(all, rectangle{left + x, base - allowed - 0.5, 1, 0.5, budget})
	}
	for i, column := range columns {
		y := float64(base)
		for zone, height := range column {
			y -= height
			if height > 0 {
				all = append(all, rectangle{left + broad*float64(i), y, broad, height, zones[zone]})
			}
		}
	}
	return append(all, rectangle{left + broad*spike, base + 0.5, broad, 1, cursor})
}
