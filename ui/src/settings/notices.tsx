// Which events are told, where, and two ways to set them all.
import { readOnly } from "../api/connection";
import { api, ok } from "../api/client";
import { useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { events, settings as words } from "../words/settings";
import { type Message, t } from "../words/words";
import { Part, SwitchSetting, useSave } from "./form";

const PRESETS = ["signal_only", "everything"] as const;
const CHANNELS = [
  ["in_app", words.inApp],
  ["email", words.email],
] as const;

export function Notices() {
  const read = useRead(
    async () => (await ok(api.GET("/api/v1/me/notification-preferences/", { params: { query: { page_size: 200 } as never } }))).results,
    [],
  );
  const rest = useRead(() => ok(api.GET("/api/v1/me/notification-settings/", {})), []);
  const quiet = useSave(async (body) => rest.set(await ok(api.PATCH("/api/v1/me/notification-settings/", { body: body as never }))));
  const preset = useAction(async (name: (typeof PRESETS)[number]) => {
    await ok(api.POST("/api/v1/me/notification-preferences/apply-preset/", { body: { preset: name } }));
    read.retry();
  });
  const change = useAction(async (id: number, enabled: boolean) => {
    read.set(read.data!.map((one) => (one.id === id ? { ...one, enabled } : one)));
    await ok(api.PATCH("/api/v1/me/notification-preferences/{id}/", { params: { path: { id: id as never } }, body: { enabled } }));
  });
  const turn = async (id: number, enabled: boolean) => {
    if (!(await change.run(id, enabled))) read.retry();
  };
  return (
    <Part title={t(words.notifications)} error={quiet.error}>
      {(preset.error ?? change.error) && <Failure error={(preset.error ?? change.error)!} />}
      <div class="row wrap">
        {PRESETS.map((one) => (
          <button key={one} type="button" class="button small" disabled={preset.busy} onClick={() => void preset.run(one)}>
            {t(words[one])}
          </button>
        ))}
        {rest.data && <SwitchSetting label={t(words.quiet)} name="dnd_enabled" value={rest.data.dnd_enabled} save={quiet.save} />}
      </div>
      <Shown read={read}>
        {(list) => (
          <table class="table">
            <thead>
              <tr>
                <th>{t(words.event)}</th>
                {CHANNELS.map(([code, name]) => (
                  <th key={code}>{t(name)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...new Set(list.map((one) => one.event_type))].map((event) => {
                const text = t((events as Record<string, Message>)[event] ?? [event, event, event, event]);
                return (
                  <tr key={event}>
                    <th scope="row" class="setting-event">
                      … {text}
                    </th>
                    {CHANNELS.map(([channel, name]) => {
                      const one = list.find((other) => other.event_type === event && other.channel === channel);
                      return (
                        <td key={channel}>
                          {one && (
                            <input
                              type="checkbox"
                              disabled={readOnly.value}
                              aria-label={`${text}: ${t(name)}`}
                              checked={one.enabled}
                              onChange={(input) => void turn(one.id, input.currentTarget.checked)}
                            />
                          )}
                        </td>
                      );
                    })}
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
      </Shown>
    </Part>
  );
}
