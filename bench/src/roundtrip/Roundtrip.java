// Reads plan files that planwright wrote, schedules each with the scheduler of its program, and answers a line of JSON
// for each: for every task its outline path, with the instants of its early start and early finish.

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import org.mpxj.ProjectFile;
import org.mpxj.Task;
import org.mpxj.cpm.MicrosoftScheduler;
import org.mpxj.cpm.PrimaveraScheduler;
import org.mpxj.mspdi.MSPDIReader;
import org.mpxj.primavera.PrimaveraXERFileReader;

final class Roundtrip {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] names) throws Exception {
        PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String name : names) {
            output.println(JSON.writeValueAsString(answer(name)));
        }
    }

    private static ObjectNode answer(String name) {
        ObjectNode answer = JSON.createObjectNode();
        boolean primavera = name.endsWith(".xer");
        try {
            ProjectFile file = primavera ? new PrimaveraXERFileReader().read(name) : new MSPDIReader().read(name);
            LocalDateTime start = primavera
                ? file.getProjectProperties().getPlannedStart()
                : file.getProjectProperties().getStartDate();
            if (primavera) {
                new PrimaveraScheduler().schedule(file, start);
            } else {
                new MicrosoftScheduler().schedule(file, start);
            }
            for (Task task : file.getTasks()) {
                String path = primavera ? task.getActivityID() : task.getOutlineNumber();
                if (task.getSummary() || path == null || task.getEarlyStart() == null) {
                    continue;
                }
                ArrayNode dates = answer.putArray(path);
                dates.add(String.valueOf(task.getEarlyStart()));
                dates.add(String.valueOf(task.getEarlyFinish()));
                dates.add(task.getName());
            }
        } catch (Exception error) {
            answer.removeAll();
            answer.put("error", String.valueOf(error));
        }
        return answer;
    }
}
