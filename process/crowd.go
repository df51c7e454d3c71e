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
