package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
)

type item struct {
	Name  string
	Parts []item
}

func handle(w http.ResponseWriter, r *http.Request) {
	var in item
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	in.Parts = append(in.Parts, item{Name: in.Name})
	json.NewEncoder(w).Encode(in)
}

func main() {
	server := httptest.NewServer(http.HandlerFunc(handle))
	defer server.Close()
	for i := range 3 {
		r, w := io.Pipe()
		go func() { json.NewEncoder(w).Encode(item{Name: fmt.Sprint("item ", i)}); w.Close() }()
		answer, err := http.Post(server.URL, "application/json", r)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		io.Copy(os.Stdout, answer.Body)
		answer.Body.Close()
	}
}
