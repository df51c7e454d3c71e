// Asks DuckDB the questions in a folder about the lake in another: node duckdb.cjs PACKAGES LAKE QUESTIONS. It writes
// an object of JSON: the rows by the name of the question.
const fs = require("fs"), path = require("path");
const [packages, lake, questions] = process.argv.slice(2);
const { DuckDBInstance } = require(path.join(packages, "node_modules/@duckdb/node-api"));

(async () => {
  const db = await (await DuckDBInstance.create(":memory:")).connect();
  for (const table of fs.readdirSync(lake)) {
    await db.run(`create view ${table} as select * from
      read_parquet('${lake}/${table}/**/*.parquet', hive_partitioning = true, hive_types_autocast = false)`);
  }
  await db.run("create macro p99(x) as quantile_disc(x, 0.99)");
  const all = {};
  for (const file of fs.readdirSync(questions)) {
    const rows = await db.runAndReadAll(fs.readFileSync(path.join(questions, file), "utf8"));
    all[path.basename(file, ".sql")] = rows.getRowsJson();
  }
  console.log(JSON.stringify(all));
})().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
