// Reads a plan a line in the simple format, schedules it with the schedulers of MPXJ that its member
// `against` names, and answers a line: for each of them the early start, early finish, late start, late
// finish and total float of every task. A day is worked from 8 to 16 o'clock.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.mpxj.ActivityType;
import org.mpxj.ConstraintType;
import org.mpxj.DayType;
import org.mpxj.Duration;
import org.mpxj.LocalTimeRange;
import org.mpxj.ProjectCalendar;
import org.mpxj.ProjectFile;
import org.mpxj.ProjectProperties;
import org.mpxj.Relation;
import org.mpxj.RelationType;
import org.mpxj.RelationshipLagCalendar;
import org.mpxj.Task;
import org.mpxj.TimeUnit;
import org.mpxj.cpm.MicrosoftScheduler;
import org.mpxj.cpm.PrimaveraScheduler;

final class Mpxj {
    private static final LocalTime MORNING = LocalTime.of(8, 0);
    private static final LocalTime EVENING = LocalTime.of(16, 0);
    private static final int MINUTES_PER_DAY = 480;
    private static final int LINES_AT_ONCE = 512;
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Map<String, RelationType> LINKS =
        Map.of(
            "FS", RelationType.FINISH_START,
            "SS", RelationType.START_START,
            "FF", RelationType.FINISH_FINISH,
            "SF", RelationType.START_FINISH);

    private static final Map<String, RelationshipLagCalendar> LAG_CALENDARS =
        Map.of(
            "successor", RelationshipLagCalendar.SUCCESSOR,
            "predecessor", RelationshipLagCalendar.PREDECESSOR,
            "project", RelationshipLagCalendar.PROJECT_DEFAULT,
            "24h", RelationshipLagCalendar.TWENTY_FOUR_HOUR);

    private static final Map<String, ConstraintType> CONSTRAINTS =
        Map.of(
            "SNET", ConstraintType.START_NO_EARLIER_THAN,
            "SNLT", ConstraintType.START_NO_LATER_THAN,
            "FNET", ConstraintType.FINISH_NO_EARLIER_THAN,
            "FNLT", ConstraintType.FINISH_NO_LATER_THAN,
            "MSO", ConstraintType.MUST_START_ON,
            "MFO", ConstraintType.MUST_FINISH_ON,
            "START_ON", ConstraintType.START_ON,
            "FINISH_ON", ConstraintType.FINISH_ON,
            "ALAP", ConstraintType.AS_LATE_AS_POSSIBLE);

    private static final Set<String> DATED_FINISHES = Set.of("FNET", "FNLT", "MFO", "FINISH_ON");

    public static void main(String[] arguments) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            lines.add(line);
            if (lines.size() == LINES_AT_ONCE) {
                answer(lines, output);
            }
        }
        answer(lines, output);
    }

    private static void answer(List<String> lines, PrintStream output) {
        List<String> answers = lines.parallelStream().map(Mpxj::answer).collect(Collectors.toList());
        answers.forEach(output::println);
        output.flush();
        lines.clear();
    }

    private static String answer(String line) {
        try {
            JsonNode plan = JSON.readTree(line);
            ObjectNode answers = JSON.createObjectNode();
            for (JsonNode against : plan.get("against")) {
                answers.set(against.asText(), schedule(plan, against.asText().equals("primavera")));
            }
            return JSON.writeValueAsString(answers);
        } catch (Exception error) {
            return JSON.createObjectNode().put("error", String.valueOf(error)).toString();
        }
    }

    private static ObjectNode schedule(JsonNode plan, boolean primavera) {
        ObjectNode answer = JSON.createObjectNode();
        try {
            ProjectFile file = new ProjectFile();
            Map<String, Task> tasks = build(file, plan, primavera);
            LocalDateTime start = at(plan.get("start"), MORNING);
            if (primavera) {
                new PrimaveraScheduler().schedule(file, start);
            } else {
                new MicrosoftScheduler().schedule(file, start);
            }
            tasks.forEach((name, task) -> answer.set(name, dates(task)));
        } catch (Exception error) {
            answer.removeAll();
            answer.put("error", String.valueOf(error));
        }
        return answer;
    }

    private static ArrayNode dates(Task task) {
        ArrayNode dates = JSON.createArrayNode();
        dates.add(String.valueOf(task.getEarlyStart()));
        dates.add(String.valueOf(task.getEarlyFinish()));
        dates.add(String.valueOf(task.getLateStart()));
        dates.add(String.valueOf(task.getLateFinish()));
        Duration slack = task.getTotalSlack();
        if (slack == null) {
            dates.addNull();
        } else {
            dates.add(slack.convertUnits(TimeUnit.DAYS, task.getEffectiveCalendar()).getDuration());
        }
        return dates;
    }

    private static Map<String, Task> build(ProjectFile file, JsonNode plan, boolean primavera) {
        ProjectProperties properties = file.getProjectProperties();
        properties.setMinutesPerDay(MINUTES_PER_DAY);
        properties.setMinutesPerWeek(MINUTES_PER_DAY * 5);
        properties.setStartDate(at(plan.get("start"), MORNING));
        Map<String, ProjectCalendar> calendars = new HashMap<>();
        ProjectCalendar standard = calendar(file, "standard", plan.get("calendar"));
        file.setDefaultCalendar(standard);
        if (plan.has("calendars")) {
            for (var row : plan.get("calendars").properties()) {
                calendars.put(row.getKey(), calendar(file, row.getKey(), row.getValue()));
            }
        }
        if (primavera) {
            String counting = plan.path("lag_calendar").asText("successor");
            properties.setRelationshipLagCalendar(LAG_CALENDARS.get(counting));
            if (plan.has("status_date")) {
                properties.setStatusDate(at(plan.get("status_date"), MORNING));
            }
        }
        LocalDateTime dataDate = at(plan.get(plan.has("status_date") ? "status_date" : "start"), MORNING);
        Set<String> held = new HashSet<>();
        plan.get("deps").forEach(link -> held.add(link.get("succ").asText()));
        Map<String, Task> tasks = new LinkedHashMap<>();
        for (JsonNode row : plan.get("tasks")) {
            Task task = file.addTask();
            String name = row.get("id").asText();
            task.setName(name);
            if (row.has("calendar")) {
                task.setCalendar(calendars.get(row.get("calendar").asText()));
            }
            fill(task, row, primavera, held.contains(name));
            progress(task, row, primavera, dataDate);
            tasks.put(name, task);
        }
        boolean everyHour = plan.path("lag_calendar").asText().equals("24h");
        plan.get("deps").forEach(link -> link(tasks, link, primavera, everyHour));
        return tasks;
    }

    private static ProjectCalendar calendar(ProjectFile file, String name, JsonNode row) {
        ProjectCalendar calendar = file.addCalendar();
        calendar.setName(name);
        int week = row.path("working_days").asInt(31);
        for (DayOfWeek day : DayOfWeek.values()) {
            boolean works = (week >> day.ordinal() & 1) == 1;
            calendar.setCalendarDayType(day, works ? DayType.WORKING : DayType.NON_WORKING);
            var hours = calendar.addCalendarHours(day);
            if (works) {
                hours.add(new LocalTimeRange(MORNING, EVENING));
            }
        }
        calendar.setCalendarMinutesPerDay(MINUTES_PER_DAY);
        calendar.setCalendarMinutesPerWeek(MINUTES_PER_DAY * Integer.bitCount(week));
        for (JsonNode range : row.path("exceptions")) {
            boolean worked = range.path("working").asBoolean(false);
            JsonNode first = range.isArray() ? range.get(0) : range.get("start");
            JsonNode last = range.isArray() ? range.get(1) : range.get("end");
            LocalDate from = LocalDate.parse(first.asText());
            var exception = calendar.addCalendarException(from, LocalDate.parse(last.asText()));
            if (worked) {
                exception.add(new LocalTimeRange(MORNING, EVENING));
            }
        }
        return calendar;
    }

    private static void fill(Task task, JsonNode row, boolean primavera, boolean held) {
        int duration = row.get("duration").asInt();
        task.setDuration(days(duration));
        if (duration == 0) {
            task.setMilestone(true);
        }
        if (primavera) {
            ActivityType point = held ? ActivityType.FINISH_MILESTONE : ActivityType.START_MILESTONE;
            task.setActivityType(duration > 0 ? ActivityType.TASK_DEPENDENT : point);
        } else {
            task.setConstraintType(ConstraintType.AS_SOON_AS_POSSIBLE);
        }
        if (row.has("constraint")) {
            String kind = row.get("constraint").get(0).asText();
            task.setConstraintType(CONSTRAINTS.get(kind));
            if (row.get("constraint").size() > 1) {
                LocalTime time = DATED_FINISHES.contains(kind) ? EVENING : MORNING;
                task.setConstraintDate(at(row.get("constraint").get(1), time));
            }
        }
        if (row.has("deadline")) {
            task.setDeadline(at(row.get("deadline"), EVENING));
        }
    }

    /** For Primavera the duration of begun work is what was worked until the data date, and the rest. */
    private static void progress(Task task, JsonNode row, boolean primavera, LocalDateTime dataDate) {
        boolean finished = row.has("actual_finish");
        int duration = row.get("duration").asInt();
        int rest = row.has("remaining") ? row.get("remaining").asInt() : finished ? 0 : duration;
        task.setActualDuration(days(duration - rest));
        task.setRemainingDuration(days(rest));
        if (!row.has("actual_start")) {
            return;
        }
        LocalDateTime start = at(row.get("actual_start"), MORNING);
        task.setActualStart(start);
        task.setPercentageComplete(finished ? 100.0 : 100.0 * (duration - rest) / duration);
        if (finished) {
            task.setActualFinish(at(row.get("actual_finish"), EVENING));
        } else if (primavera) {
            double worked = task.getEffectiveCalendar().getWork(start, dataDate, TimeUnit.DAYS).getDuration();
            task.setActualDuration(days(Math.max(worked, 0)));
            task.setDuration(days(Math.max(worked, 0) + rest));
        }
    }

    private static void link(Map<String, Task> tasks, JsonNode link, boolean primavera, boolean everyHour) {
        int lag = link.path("lag").asInt(0);
        boolean elapsed = link.path("lag_unit").asText().equals("elapsed");
        Duration duration =
            primavera
                ? Duration.getInstance(lag * (everyHour ? 24 : 8), TimeUnit.HOURS)
                : Duration.getInstance(lag, elapsed ? TimeUnit.ELAPSED_DAYS : TimeUnit.DAYS);
        tasks.get(link.get("succ").asText())
            .addPredecessor(
                new Relation.Builder()
                    .predecessorTask(tasks.get(link.get("pred").asText()))
                    .type(LINKS.get(link.path("type").asText("FS")))
                    .lag(duration));
    }

    private static Duration days(double count) {
        return Duration.getInstance(count, TimeUnit.DAYS);
    }

    private static LocalDateTime at(JsonNode day, LocalTime time) {
        return LocalDate.parse(day.asText()).atTime(time);
    }
}
