-- What `wrk` sends: `wrk … -s load.lua URL -- KEY TASK FILE RUN`.
--
-- FILE holds a line for each thing to ask for: for `read` a path, for `send` the body of a POST. In a
-- body `@` is replaced by RUN and a number, so that no two appends are the same. At the end one line of
-- JSON says how many requests there were, of which how many without success, and how long they took.

local lines, at, headers, own, place = {}, 0, {}, "", ""
local ready, is_read = {}, false

function init(args)
    place, own = wrk.path, args[4]
    for line in io.lines(args[3]) do
        table.insert(lines, line)
    end
    headers["Authorization"] = "Bearer " .. args[1]
    headers["Content-Type"] = "application/json"
    is_read = args[2] == "read"
end

function request()
    at = at + 1
    local line = lines[at % #lines + 1]
    if ready[line] == nil then
        local has_place = not is_read and line:find("@", 1, true) ~= nil
        ready[line] = not has_place and (is_read and wrk.format("GET", line, headers) or wrk.format("POST", place, headers, line))
    end
    return ready[line] or wrk.format("POST", place, headers, (line:gsub("@", own .. at)))
end

function done(summary, latency)
    -- Without a function for each response, which would cost the driver more than the request.
    local errors = summary.errors
    local bad = errors.connect + errors.read + errors.write + errors.timeout + errors.status
    io.write(string.format(
        '{"requests":%d,"seconds":%f,"failed":%d,"p50":%f,"p99":%f}\n',
        summary.requests, summary.duration / 1e6, bad, latency:percentile(50) / 1e6, latency:percentile(99) / 1e6
    ))
end
