package hosts

import (
	"flag"
	"fmt"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// Options are the flags of every host.
type Options struct {
	Frames     int    // stop after so many; 0 = when the window is closed
	Screenshot string // PNG file for the last frame; "" = none
	Check      bool   // compare each frame before and after the overlay
}

// modes are the values of the flag -overlay.
var modes = map[string]draw.PanelMode{"off": draw.Off, "hud": draw.HUD, "half": draw.ReportAndGraph, "full": draw.Full}

// Parse reads the command line, and shows the overlay as it says.
func Parse() (*Options, error) {
	o := &Options{}
	flag.IntVar(&o.Frames, "frames", 0, "stop after that many `frames`; 0 = when the window is closed")
	flag.StringVar(&o.Screenshot, "screenshot", "", "write the last frame to this PNG `file`")
	flag.BoolVar(&o.Check, "check", false, "fail if the overlay changes anything but its own pixels")
	overlay := flag.String("overlay", "half", "`off`, hud, half or full; F1 goes on to the next")
	flag.Parse()
	mode, known := modes[*overlay]
	if !known {
		return nil, fmt.Errorf("-overlay %s: want off, hud, half or full", *overlay)
	}
	Panel().SetMode(mode)
	return o, nil
}

// Panel is the overlay of this program.
func Panel() *draw.Panel { return draw.PanelFor(process.Default()) }
