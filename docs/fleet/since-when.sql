-- Since which day is a zone slower than on the first day?
with mean as (
  select day, sum(self_ms) / count(distinct file) as ms from calls where zone = 'physics' group by day
)
select day, ms, ms / first_value(ms) over (order by day) as ratio from mean order by day;
