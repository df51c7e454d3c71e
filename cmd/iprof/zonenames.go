package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostNamed is the greatest number of zones that an error lists.
const mostNamed = 10

// findZone returns the zone for a name that the user typed: the zone of that name, else the only zone whose name or
// function ends in it, as in "chi.(*Mux).ServeHTTP" and "main.listItems".
func findZone(s *process.Session, name string) (report.ZoneID, error) {
	zones := tables.ZonesOf(s)
	same := func(z gather.ZoneInfo) bool { return z.Name == name }
	if at := slices.IndexFunc(zones, same); at >= 0 {
		return report.ZoneID(at), nil
	}
	var found []report.ZoneID
	for id, z := range zones {
		if endsIn(z.Name, name) || endsIn(z.Function, name) || endsIn(withoutVersion(z.Function), name) {
			found = append(found, report.ZoneID(id))
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return 0, fmt.Errorf("there is no zone %q: %s", name, alike(zones, name))
	}
	return 0, fmt.Errorf("%d zones end in %q; name one of them: %s", len(found), name, listed(zones, found))
}

// endsIn reports whether a full name ends in name, and name begins at the start of a part.
func endsIn(full, name string) bool {
	rest, ok := strings.CutSuffix(full, name)
	return ok && name != "" && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/"))
}

// withoutVersion removes the version from the import path of a function: "github.com/go-chi/chi/v5.(*Mux).ServeHTTP"
// is of package chi.
func withoutVersion(function string) string {
	at := strings.LastIndexByte(function, '/')
	if at < 0 {
		return function
	}
	version, rest, _ := strings.Cut(function[at+1:], ".")
	if digits, ok := strings.CutPrefix(version, "v"); !ok || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return function
	}
	return function[:at] + "." + rest
}

// alike lists in words the zones with the last part of the name, or names the command that lists all zones.
func alike(zones []gather.ZoneInfo, name string) string {
	last := strings.ToLower(name[strings.LastIndexAny(name, "./")+1:])
	var found []report.ZoneID
	for id, z := range zones {
		if last != "" && strings.Contains(strings.ToLower(z.Name), last) {
			found = append(found, report.ZoneID(id))
		}
	}
	if len(found) == 0 {
		return "iprof top lists them"
	}
	return "zones with such a name: " + listed(zones, found)
}

// listed joins names of zones. It adds the functions of zones with the same name.
func listed(zones []gather.ZoneInfo, ids []report.ZoneID) string {
	var names []string
	for _, id := range ids[:min(len(ids), mostNamed)] {
		z, same := zones[id], 0
		for _, other := range ids {
			if zones[other].Name == z.Name {
				same++
			}
		}
		text := z.Name
		if same > 1 && z.Function != "" {
			text = z.Function
		}
		names = append(names, shownText(text))
	}
	if len(ids) > mostNamed {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}
