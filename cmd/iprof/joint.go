package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// joint writes the frames of several captures into one session. A zone has one id in all of them. It is the same zone
// if it has the same name in the same function; of several such places the first is the first, and so on.
type joint struct {
	session *process.Session
	zones   []gather.ZoneInfo
	ids     map[zoneKey]gather.ZoneID
	frames  spread
}

type zoneKey struct {
	name, function string
	place          int // of several with this name in this function
}

// read writes the frames of a capture into the session. It passes over damaged stretches.
func (j *joint) read(path string) error {
	file, err := source(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := capture.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var f gather.Frame
	var ids []gather.ZoneID
	places := map[zoneKey]int{}
	for {
		err := r.Next(&f)
		var damage *capture.DamageError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &damage):
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, z := range f.Zones[min(len(ids), len(f.Zones)):] {
			ids = append(ids, j.id(z, places))
		}
		for i := range f.Lanes {
			for k := range f.Lanes[i].Nodes {
				n := &f.Lanes[i].Nodes[k]
				n.Zone = ids[n.Zone]
			}
		}
		f.Zones, f.Counters, f.Values = j.zones, nil, nil
		if err := j.session.WriteFrame(&f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
}

// id returns the common id of a capture's zone.
func (j *joint) id(z gather.ZoneInfo, places map[zoneKey]int) gather.ZoneID {
	key := zoneKey{name: z.Name, function: z.Function}
	places[key]++
	key.place = places[key]
	id, known := j.ids[key]
	if !known {
		if j.ids == nil {
			j.ids = map[zoneKey]gather.ZoneID{}
		}
		id = gather.ZoneID(len(j.zones))
		j.ids[key] = id
		j.zones = append(j.zones, z)
	}
	return id
}

// WriteFrame does nothing: the session calls WriteJudged.
func (j *joint) WriteFrame(*gather.Frame) error { return nil }

// WriteJudged counts the busy time of a frame.
func (j *joint) WriteJudged(_ *gather.Frame, busy, _ time.Duration) error {
	j.frames.add(busy.Seconds() * 1000)
	return nil
}

// spread is the mean and the deviation of numbers, by Welford's method.
type spread struct{ n, mean, squares float64 }

func (s *spread) add(v float64) {
	s.n++
	d := v - s.mean
	s.mean += d / s.n
	s.squares += d * (v - s.mean)
}

func (s *spread) deviation() float64 { return math.Sqrt(s.squares / max(s.n-1, 1)) }
