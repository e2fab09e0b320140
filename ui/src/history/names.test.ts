import { describe, expect, it } from "vitest";
import { happened } from "../words/history";
import { language } from "../words/words";
import { isInner, kindName, sentence, valueName } from "./names";
import { fieldName } from "../words/field_name";

describe("names in a history", () => {
  it("kinds, fields and values have words", () => {
    language.value = "de";
    expect([kindName("task_comment"), fieldName("parent_id"), valueName("status", "IN_PROGRESS"), valueName("is_active", false)]).toEqual([
      "Kommentar",
      "übergeordnete Phase",
      "In Arbeit",
      "nein",
    ]);
    language.value = "en";
  });
  it("ranks are left out", () => {
    expect(["priority_rank", "rank", "board_rank", "frank", "status"].map(isInner)).toEqual([true, true, true, false, false]);
  });
  it("what no catalogue has stays readable", () => {
    expect([
      kindName("new_kind"),
      fieldName("new_field_id"),
      valueName("status", "NEW"),
      valueName("name", "REVIEW"),
      valueName("lag", 3),
    ]).toEqual(["new kind", "new field", "NEW", "REVIEW", 3]);
  });
  it("a sentence says where the person and the row stand", () => {
    expect(sentence(happened.created)).toEqual([{ mark: "who" }, " created ", { mark: "what" }]);
  });
  it("days are written as people read them", () => {
    expect([valueName("actual_start", "2026-11-28"), valueName("deadline", "2026-11-28"), valueName("name", "2026-11-28")]).toEqual([
      "28 Nov 26",
      "28 Nov 26",
      "2026-11-28",
    ]);
  });
});
