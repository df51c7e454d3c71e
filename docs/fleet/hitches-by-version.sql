-- Did a hitch come with a version?
select zone, version, count(*) as hitches, sum(excess_ms) as excess_ms
from verdicts group by zone, version order by zone, version;
