package hosts

import (
	"flag"
	"fmt"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// Options are the flags of every host.
type Options struct {
	Frames     int    // stop after this number; 0 = when the window is closed
	Screenshot string // PNG file for the last frame; "" = none
	Check      bool   // compare each frame before and after the overlay
}

// modes are the values of the flag -overlay.
var modes = map[string]viewer.PanelMode{"off": viewer.PanelOff, "hud": viewer.PanelHUD,
	"half": viewer.PanelReportAndGraph, "full": viewer.PanelFull}

// Parse parses the command line and sets the overlay's mode accordingly.
func Parse() (*Options, error) {
	o := &Options{}
	flag.IntVar(&o.Frames, "frames", 0, "stop after that many `frames`; 0 = when the window is closed")
	flag.StringVar(&o.Screenshot, "screenshot", "", "write the last frame to this PNG `file`")
	flag.BoolVar(&o.Check, "check", false, "fail if the overlay changes anything but its own pixels")
	overlay := flag.String("overlay", "half", "`off`, hud, half or full; F1 changes it")
	flag.Parse()
	mode, known := modes[*overlay]
	if !known {
		return nil, fmt.Errorf("-overlay %s: want off, hud, half or full", *overlay)
	}
	Panel().Change(func(o *viewer.Options) { o.Mode = mode })
	return o, nil
}

// Panel returns the overlay of this program.
func Panel() *viewer.Panel { return viewer.PanelFor(process.Default()) }
