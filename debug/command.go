package debug

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/iprof/console"
	"example.com/iprof/internal/serve"
)

// mostCommand is the greatest length of a command in bytes.
const mostCommand = 4 << 10

// commands are the commands of package console that change only what is measured.
var commands = []string{"events", "memory", "calls", "sample", "trace", "allocations", "limit", "mute",
	"recording", "reset", "undo"}

// command runs the line in the request's body. The answer is the console's output.
func (h *handler) command(w http.ResponseWriter, r *http.Request) {
	if h.Token == "" && !h.AllowCommands {
		http.Error(w, "this program accepts no commands: see Server.AllowCommands and Server.Token",
			http.StatusForbidden)
		return
	}
	if h.Token == "" && !serve.IsHere(r.Host, h.Hosts) { // a page of another site may have led its own name here
		http.Error(w, "commands under this name need a Token: see Server.Hosts", http.StatusMisdirectedRequest)
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(serve.ReadTimeout)) // the same limit in any server
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostCommand))
	if err != nil {
		http.Error(w, "the command is too long, or did not arrive", http.StatusBadRequest)
		return
	}
	line := strings.TrimSpace(string(body))
	name, _, _ := strings.Cut(line, " ")
	if !slices.Contains(commands, name) || strings.ContainsAny(line, "\r\n") {
		http.Error(w, "the commands are "+strings.Join(commands, ", "), http.StatusBadRequest)
		return
	}
	var answer bytes.Buffer
	status := http.StatusOK
	if console.Command(h.Session, &answer, line) != nil {
		status = http.StatusBadRequest
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	h.patience(w, 0)
	w.WriteHeader(status)
	_, _ = w.Write(answer.Bytes())
}
