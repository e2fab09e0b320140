// What the workspace asks of sign-ins. Administrators see it; the owner, who has shown a second factor, writes it.
import { useState } from "preact/hooks";
import { api, ok } from "../api/client";
import { me } from "../api/me";
import { useRead } from "../api/read";
import { Shown } from "../app/failure";
import { factor as words } from "../words/factor";
import { t } from "../words/words";
import { Part, SwitchSetting, useSave } from "./form";
import { Trouble } from "./proof";

const OWNER = 400;

export function SignInPolicy() {
  const read = useRead(() => ok(api.GET("/api/v1/workspace/second-factor/", {})), []);
  const [last, setLast] = useState<Record<string, unknown>>({});
  const { save, error } = useSave(async (body) => {
    setLast(body);
    read.set(await ok(api.PATCH("/api/v1/workspace/second-factor/", { body })));
  });
  const locked = me.value?.workspace_role !== OWNER;
  const needsOwn = error?.code === "second_factor_required";
  return (
    <Part title={t(words.policy)} text={t(locked ? words.policyOwner : words.policyText)}>
      {needsOwn ? (
        <p class="wrong" role="alert">
          {t(words.policyOwn)} <a href="/settings?part=security">{t(words.policyOwnLink)}</a>
        </p>
      ) : (
        <Trouble error={error} again={() => void save(last)} />
      )}
      <Shown read={read} lines={2}>
        {(policy) => (
          <>
            <SwitchSetting
              label={t(words.policyAll)}
              name="second_factor_required"
              value={policy.second_factor_required}
              save={save}
              disabled={locked}
            />
            <SwitchSetting
              label={t(words.policySso)}
              name="sso_is_second_factor"
              value={policy.sso_is_second_factor}
              save={save}
              disabled={locked}
            />
            <p class="quiet small">
              {policy.people_without === 0 ? t(words.policyNobody) : t(words.policyWithout, { n: policy.people_without })}
            </p>
          </>
        )}
      </Shown>
    </Part>
  );
}
