import { describe, expect, it } from "vitest";
import { deviceName } from "./device";

describe("the name of a device", () => {
  it("is its browser and its system", () => {
    expect(deviceName("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36")).toBe(
      "Chrome, Linux",
    );
    expect(
      deviceName(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
      ),
    ).toBe("Edge, Windows");
    expect(
      deviceName(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
      ),
    ).toBe("Safari, iOS");
    expect(deviceName("Mozilla/5.0 (Macintosh; Intel Mac OS X 15.1; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe("Firefox, macOS");
  });

  it("is what a program says", () => {
    expect(deviceName("node")).toBe("node");
    expect(deviceName("")).toBe("–");
  });
});
