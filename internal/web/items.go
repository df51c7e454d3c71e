package web

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"

	"example.com/iprof/gather"
)

const (
	mostCommand = 4 << 10
	mostPlace   = 64 << 10
	pieceSize   = 64 << 10
)

// item returns the item of a request.
func (s *Server) item(w http.ResponseWriter, r *http.Request, program bool) *Item {
	n, err := strconv.Atoi(r.PathValue("number"))
	if err != nil || n < 0 || n >= len(s.items) || (s.items[n].Program != nil) != program {
		http.Error(w, "there is nothing at this address", http.StatusNotFound)
		return nil
	}
	return &s.items[n]
}

// file sends a file of the items. It refuses other files.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	i := s.item(w, r, false)
	if i == nil {
		return
	}
	info, err := i.File.Stat()
	if err != nil {
		http.Error(w, "it cannot be read", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	_, _ = io.Copy(w, io.NewSectionReader(i.File, 0, info.Size()))
}

// live passes on a program's stream as it comes. It ends with either side.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	i := s.item(w, r, true)
	if i == nil {
		return
	}
	stream, err := i.Program.Live(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer stream.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	to, piece := http.NewResponseController(w), make([]byte, pieceSize)
	for {
		n, err := stream.Read(piece)
		if _, failed := w.Write(piece[:n]); failed != nil || to.Flush() != nil || err != nil {
			return
		}
	}
}

// command passes on a command. The program itself decides which commands it accepts, and from whom.
func (s *Server) command(w http.ResponseWriter, r *http.Request) {
	i := s.item(w, r, true)
	if i == nil {
		return
	}
	line, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostCommand))
	if err != nil || strings.ContainsAny(string(line), "\r\n") {
		http.Error(w, "the command is too long, or not a line", http.StatusBadRequest)
		return
	}
	answer, err := i.Program.Command(r.Context(), string(line))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	send(w, "text/plain; charset=utf-8", []byte(answer))
}

// place is a line of a file named by frames.
type place struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
}

func (s *Server) place(w http.ResponseWriter, r *http.Request) (p place, ok bool) {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostPlace)).Decode(&p); err != nil {
		http.Error(w, "this is not a place in the source", http.StatusBadRequest)
		return p, false
	}
	return p, true
}

// code sends the function that enters a zone.
func (s *Server) code(w http.ResponseWriter, r *http.Request) {
	p, ok := s.place(w, r)
	if !ok {
		return
	}
	if s.Code == nil {
		http.Error(w, "iprof view -source DIR shows the sources below a folder", http.StatusForbidden)
		return
	}
	text, _ := json.Marshal(s.Code(gather.ZoneInfo{File: p.File, Line: p.Line, Function: p.Function}))
	send(w, "application/json", text)
}

// edit opens a file in the user's editor.
func (s *Server) edit(w http.ResponseWriter, r *http.Request) {
	p, ok := s.place(w, r)
	if !ok {
		return
	}
	if s.Edit == nil {
		http.Error(w, "iprof view -source DIR opens the sources below a folder", http.StatusForbidden)
		return
	}
	if err := s.Edit(p.File, p.Line); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
	}
}
