package process

import (
	"strconv"
	"strings"
)

// The lanes of goroutines that one go statement made are a crowd. Package gather names them by it.

// handful is the number of lanes of a crowd that a Dump keeps apart.
const handful = 8

// Crowd returns the go statement in a lane's name, such as "main.serve server.go:42" of "main.serve server.go:42 #7" or
// of "main.serve server.go:42 (ended)". It returns "" for other names.
func Crowd(lane string) string {
	if crowd, ended := strings.CutSuffix(lane, " (ended)"); ended {
		return crowd
	}
	at := strings.LastIndex(lane, " #")
	if at < 0 {
		return ""
	}
	if _, err := strconv.ParseUint(lane[at+2:], 10, 64); err != nil {
		return ""
	}
	return lane[:at]
}

// crowds merges the lanes of each crowd that is larger than a handful.
type crowds struct {
	size   map[string]int
	merged map[string]*laneTally
}

// crowdsOf finds the crowds among the lanes.
func crowdsOf(lanes []*laneTally) *crowds {
	c := &crowds{size: make(map[string]int), merged: make(map[string]*laneTally)}
	for _, l := range lanes {
		if crowd := Crowd(l.name); crowd != "" {
			c.size[crowd]++
		}
	}
	return c
}

// merge adds a lane to its crowd. It returns the lane to show: l if it is kept apart, the crowd in place of its first
// lane, or nil.
func (c *crowds) merge(paths *tree, l *laneTally) *laneTally {
	crowd := Crowd(l.name)
	n := c.size[crowd]
	if n <= handful {
		return l
	}
	all, known := c.merged[crowd]
	if !known {
		all = &laneTally{id: l.id, name: crowd + " (" + strconv.Itoa(n) + " lanes)"}
		c.merged[crowd] = all
	}
	all.take(paths, l, mostFolded)
	if known {
		return nil
	}
	return all
}
