package desk

import (
	"fmt"
	"os"
	"runtime/debug"

	"example.com/iprof/internal/printed"
)

// attempt carries out an action. It turns a panic into an error, so that the window goes on and shows the cause. The
// stack goes to standard error.
func attempt(action func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("an error in the viewer; please report it: %v", p)
			_ = printed.To(os.Stderr).Printf("iprof: %s\n%s", fmt.Sprint(p), debug.Stack())
		}
	}()
	return action()
}

// event carries out an action of the user on the window.
func (d *Desk) event(what string, action func()) {
	err := attempt(func() error {
		action()
		return nil
	})
	if err != nil {
		line := fmt.Sprintf("%s failed: %v", what, err)
		d.tab.panel.Note(line)
		fmt.Fprintln(d.options.Lines, line)
	}
}
