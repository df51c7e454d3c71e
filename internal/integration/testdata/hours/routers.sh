# online
# Sees the requests of chi, gin and echo by the names that their documentation has.
go mod init shop
cat >main.go <<'GO'
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/labstack/echo/v4"
)

func listItems(w http.ResponseWriter, r *http.Request) {
	for i := range 1000 {
		fmt.Fprintln(w, i)
	}
}

func main() {
	gin.SetMode(gin.ReleaseMode)
	c, g, e := chi.NewRouter(), gin.New(), echo.New()
	c.Get("/items", listItems)
	g.GET("/items", gin.WrapF(listItems))
	e.GET("/items", echo.WrapHandler(http.HandlerFunc(listItems)))
	for range 20 {
		for _, h := range []http.Handler{c, g, e} {
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/items", nil))
		}
	}
}
GO
go mod tidy
iprof run -frame 'chi.(*Mux).ServeHTTP' . 2>error && exit 1
has error '-deps github.com/go-chi/chi/v5'
for router in 'chi.(*Mux).ServeHTTP github.com/go-chi/chi/v5' 'echo.(*Echo).ServeHTTP github.com/labstack/echo/v4' \
	'gin.(*Engine).ServeHTTP github.com/gin-gonic/gin'; do
	iprof run -frame "${router% *}" -deps "${router#* }" . 2>report
	cat report
	has report listItems
done
iprof run -frame main.listItems . 2>report
iprof run -frame routes . 2>report
has report '20 .*"GET /items"' # chi's, as gin and echo wrap handlers of net/http, which know no route of theirs
