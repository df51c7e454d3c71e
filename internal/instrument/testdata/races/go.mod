module example.org/races

go 1.25

require github.com/gin-gonic/gin v1.0.0

replace github.com/gin-gonic/gin => ./gin
