// Package desk surrounds the screen of package viewer with the rest of a viewer, for any kind of window: tabs of
// captures and remote programs, prompts, comparison of tabs, export and saving.
//
//	d := desk.New(options, host)
//	d.Follow(d.NewTab("localhost:6061"), "localhost:6061")
//	d.Tab().Panel().Draw(&list, width, height-d.BarHeight(), scale) // and then d.Draw
//
// Only the goroutine of the window calls its functions, unless their documentation says otherwise.
package desk

import (
	"context"
	"image"
	"io"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/input"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/follow"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// Host is the window below a desk, and the system around it.
type Host struct {
	Wake      func()                      // draws again soon; any goroutine may call it
	Title     func(title string)          // of the window
	Close     func()                      // ends the program at the user's wish
	Size      func() (width, height int)  // of the window in pixels
	Scale     func() float32              // pixels per nominal pixel
	Clipboard func(text string)           // copies
	Link      func(moment string) string  // an address that shows a moment again; nil: the command iprof view does
	Picture   func() (*image.RGBA, error) // of the window
	Editor    func(file string, line int) error
	Saved     func(file string) // is called after each written file; may be nil

	// Choose lets the user choose files, and passes them to Drop. If it is nil, the desk asks for a path itself.
	Choose func()

	// Sample shows the viewer's sample in the first tab. It is nil if there is no sample.
	Sample func() error

	// Record builds and runs the Go program of a folder with zones in its functions. It returns after the build, with
	// the address at which the program serves its frames. It calls ended once, from any goroutine, when the program has
	// ended. If Record is nil, the desk does not offer it.
	Record func(folder string, ended func(how string)) (address string, err error)

	// Code returns the function that enters a zone, as viewer.Options.Source does. If it is nil, the desk reads the
	// sources below the folders of Options itself.
	Code func(zone gather.ZoneInfo) *report.Code

	// Dial returns the program at an address, and the address for people.
	Dial func(address string) (p Program, name string, err error)
}

// Program is a remote program. Any goroutine may call its methods.
type Program interface {
	// Follow writes the program's frames into a session until the context is done. It calls say at each change.
	Follow(ctx context.Context, s *process.Session, say func(follow.State))
	// Command runs a command in the program, and returns its answer.
	Command(ctx context.Context, line string) (string, error)
}

// Options are the user's choices on the command line.
type Options struct {
	Viewer   string        // name of the program, for messages
	Limits   budget.Budget // of time and memory for reading files
	Roots    []string      // folders with the sources of captures and of remote programs
	Out      string        // folder in which files are saved
	Timeline bool          // shows the timeline and records its events
	Whole    bool          // reads captures as a whole before showing them, and does not pause
	Lines    io.Writer     // gets a line for each saved file
	Settings Settings      // of the last window: the look of the tabs
	Browser  bool          // a browser keeps some keys for itself: uses other keys

	KeyLabel func(input.Key) string // see input.Controller.SetKeyLabels; may be nil
}

// Desk holds everything that a viewer shows. New makes one.
type Desk struct {
	options  Options
	host     Host
	tab      *Tab // the shown one
	tabs     []*Tab
	saves    saves
	bar      bar
	prompt   prompt
	greeting *greeting   // over the first tab; nil when not shown
	contrast *contrast   // of two tabs; nil when not shown
	resting  *[2]float64 // the mouse's position when the window opened
	pointed  bool        // the mouse has moved since
}

// New returns a desk without tabs.
func New(o Options, h Host) *Desk {
	return &Desk{options: o, host: h, saves: saves{now: time.Now}}
}

// Tab returns the shown tab, or nil before the first.
func (d *Desk) Tab() *Tab { return d.tab }

// Session returns the session that the tab shows.
func (t *Tab) Session() *process.Session { return t.session }

// Panel returns the tab's screen.
func (t *Tab) Panel() *viewer.Panel { return t.panel }

// Title returns the window's title for the tab. No two tabs have the same.
func (t *Tab) Title() string { return "IProf · " + t.name }
