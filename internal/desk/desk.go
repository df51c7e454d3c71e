// Package desk is what a viewer has around the screen of package viewer, whatever window it is in: tabs of captures and
// programs elsewhere, prompts, comparison of tabs, export and saving.
//
//	d := desk.New(options, host)
//	d.Follow(d.NewTab("localhost:6061"), "localhost:6061")
//	d.Tab().Panel().Draw(&list, width, height-d.BarHeight(), scale) // and then d.Draw
//
// The goroutine of the window calls all functions but where it is said.
package desk

import (
	"context"
	"image"
	"io"
	"time"

	"example.com/iprof/gather"
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
	Close     func()                      // ends the program, as the user wishes
	Size      func() (width, height int)  // of the window in pixels
	Scale     func() float32              // pixels per nominal pixel
	Clipboard func(text string)           // copies
	Picture   func() (*image.RGBA, error) // of the window
	Editor    func(file string, line int) error
	Saved     func(file string) // is called after each file that was written; may be nil

	// Choose lets the user choose files, which Drop takes. If it is nil, the desk asks for a path itself.
	Choose func()

	// Sample shows the viewer's sample in the first tab. If it is nil, there is none.
	Sample func() error

	// Record runs the Go program of a folder with zones in its functions. It returns the address at which the program
	// serves its frames when it has been built, and says once how it ended; any goroutine may do so. If Record is nil,
	// the desk offers nothing of the kind.
	Record func(folder string, ended func(how string)) (address string, err error)

	// Code returns the function that enters a zone, as viewer.Options.Source does. If it is nil, the desk reads the
	// sources below the folders of Options itself.
	Code func(zone gather.ZoneInfo) *report.Code

	// Dial returns the program at an address, and the address for people.
	Dial func(address string) (p Program, name string, err error)
}

// Program is a program elsewhere. Any goroutine may call its methods.
type Program interface {
	// Follow writes the program's frames into a session until the context is done. It calls say at each change.
	Follow(ctx context.Context, s *process.Session, say func(follow.State))
	// Command runs a command in the program, and returns its answer.
	Command(ctx context.Context, line string) (string, error)
}

// Options are what the user chose on the command line.
type Options struct {
	Viewer   string        // name of the program, for messages
	Limits   budget.Budget // of what files may cost
	Roots    []string      // folders with the sources of captures and of programs elsewhere
	Out      string        // folder in which files are saved
	Timeline bool          // the timeline is shown, and records events
	Whole    bool          // captures are read as a whole before they are shown, and not paused
	Lines    io.Writer     // gets a line for each file that is saved
	Settings Settings      // of the window before, for how tabs look
	Browser  bool          // a browser keeps some keys for itself: others do the same
}

// Desk is all that a viewer shows. New makes one.
type Desk struct {
	options  Options
	host     Host
	tab      *Tab // the one that is shown
	tabs     []*Tab
	saves    saves
	bar      bar
	prompt   prompt
	greeting *greeting   // over the first tab, nil if nothing is
	contrast *contrast   // what is shown of two tabs, nil if nothing is
	resting  *[2]float64 // the mouse's position when the window opened
	pointed  bool        // the mouse has moved since
}

// New returns a desk without tabs.
func New(o Options, h Host) *Desk {
	return &Desk{options: o, host: h, saves: saves{now: time.Now}}
}

// Tab returns the tab that is shown, nil if there is none yet.
func (d *Desk) Tab() *Tab { return d.tab }

// Session returns what the tab shows.
func (t *Tab) Session() *process.Session { return t.session }

// Panel returns the tab's screen.
func (t *Tab) Panel() *viewer.Panel { return t.panel }

// Title returns what the window's title should be while the tab is shown.
func (t *Tab) Title() string { return t.title }
