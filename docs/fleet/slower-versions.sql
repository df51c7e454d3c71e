-- Which version is slower?
select version, count(*) as frames, avg(judged_ms) as mean_ms, p99(judged_ms) as p99_ms, avg(late) as late_share
from frames group by version order by version;
