# Measures a program as it is, with what README says first.
cp "$DOCS/docs/tutorial/5-no-edit.md/go-1" main.go
go mod init words
. "$DOCS/README.md/commands-1" 2>report
cat report
has report 'called 400 times by main'
