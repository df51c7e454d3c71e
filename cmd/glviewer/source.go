package main

import (
	"os"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/source"
)

// source returns the function that enters a zone, for the card. Draw calls it.
func (t *tab) source(zone gather.ZoneInfo) *process.Code {
	if t.sources == nil {
		t.sources = source.NewReader(t.built())
	}
	return t.sources.Code(zone)
}

// built returns the time after which no source may have been changed: when the sample was built, or the capture was
// written. It is not known of a program elsewhere.
func (t *tab) built() time.Time {
	switch {
	case t.link != nil:
		return time.Time{}
	case t.path == "":
		return source.Built()
	}
	info, err := os.Stat(t.path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
