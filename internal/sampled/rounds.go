package sampled

import "strings"

// RoundsOf stands between the name of a function and the line of a loop over an iterator, in the name of the zone of
// the loop's body.
const RoundsOf = " range:"

// RoundOf returns the name of the function with a loop, if a zone is that of the loop's body.
func RoundOf(zone string) (function string, ok bool) {
	at := strings.LastIndex(zone, RoundsOf)
	if at <= 0 || strings.Trim(zone[at+len(RoundsOf):], "0123456789") != "" {
		return "", false
	}
	return zone[:at], true
}
