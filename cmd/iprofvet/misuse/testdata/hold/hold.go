// Package hold has holds that are not decided, and some that are.
package hold

import (
	"errors"
	"os"

	"example.com/iprof"
)

var request = iprof.Zone{Name: "request"}

func open() error {
	request.Hold()          // want `nothing ends the zone that request.Hold\(\) enters: write "defer request.Hold\(\).KeepIf\(&keep\)"`
	iprof.Discard()         // it drops the entry, and does not end it
	early := request.Hold() // want `scope early is still open at the return in line 18`
	if len(os.Args) > 1 {
		return errors.New("early")
	}
	early.Keep(true)
	return nil
}

func decided(fails bool) {
	slow := false
	defer request.Hold().KeepIf(&slow)
	h := request.Hold()
	if fails {
		h.Keep(false)
		return
	}
	h.Keep(true)
	i := request.Hold()
	defer func() { i.Keep(slow) }()
	j := request.Hold()
	defer j.KeepIf(nil)
	request.Hold().Keep(true)
}
