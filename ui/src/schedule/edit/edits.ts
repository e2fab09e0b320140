// The edits of one person: one after the other, each with the edit that undoes it. What others change is never in here.
import { signal } from "@preact/signals";
import { patiently } from "../../api/client";
import { asCallError, type CallError } from "../../api/errors";
import { refuse, say } from "../../app/toast";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";

/** Something that a person did. `apply` does it and gives the edit that undoes it. */
export interface Edit {
  label: string;
  apply: () => Promise<Edit | null>;
  /** Called when it was refused, to put back what was shown; answers true if it has said why. */
  refused?: (error: CallError) => boolean | void;
}

/** Several edits as one: undone together, and if one is refused, those before it are taken back. Each waits for the connection itself. */
export function asOne(label: string, edits: Edit[], refused?: Edit["refused"]): Edit {
  return {
    label,
    apply: async () => {
      const done: Edit[] = [];
      try {
        for (const edit of edits) {
          const inverse = await patiently(() => edit.apply());
          if (inverse) done.unshift(inverse);
        }
      } catch (error) {
        for (const inverse of done) await patiently(() => inverse.apply());
        throw error;
      }
      return done.length ? asOne(label, done) : null;
    },
    ...(refused ? { refused } : {}),
  };
}

const DEPTH = 200;

export class Edits {
  readonly undoable = signal<readonly Edit[]>([]);
  readonly redoable = signal<readonly Edit[]>([]);
  /** Called when the server says that the person may not: the role may be another one by now. */
  forbidden: () => void = () => undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private actions: Promise<unknown> = Promise.resolve();

  /** Runs an action of several edits after the actions before it, so that it finds the plan as they left it. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.actions.then(act, act);
    this.actions = turn.catch(() => undefined);
    return turn;
  }

  /** Runs an edit after those before it; resolves to whether it was accepted. */
  run(edit: Edit): Promise<boolean> {
    return this.enqueue(async () => {
      const inverse = await this.attempt(edit);
      if (inverse === undefined) return false;
      if (inverse) this.undoable.value = [...this.undoable.peek().slice(-DEPTH), inverse];
      this.redoable.value = [];
      return true;
    });
  }

  undo(): Promise<boolean> {
    return this.enqueue(() => this.turn(this.undoable, this.redoable));
  }

  redo(): Promise<boolean> {
    return this.enqueue(() => this.turn(this.redoable, this.undoable));
  }

  private async turn(from: typeof this.undoable, to: typeof this.undoable): Promise<boolean> {
    const edit = from.peek()[from.peek().length - 1];
    if (!edit) {
      say(t(schedule.nothing));
      return false;
    }
    const inverse = await this.attempt(edit);
    if (inverse === undefined) return false;
    from.value = from.peek().slice(0, -1);
    if (inverse) to.value = [...to.peek(), inverse];
    say(t(schedule.undone, { what: edit.label }));
    return true;
  }

  /** The inverse, null if there is none, undefined if the edit was refused. */
  private async attempt(edit: Edit): Promise<Edit | null | undefined> {
    try {
      return await patiently(() => edit.apply());
    } catch (thrown) {
      const error = asCallError(thrown);
      if (error.status === 403) this.forbidden();
      if (!edit.refused?.(error)) refuse(error.message);
      return undefined;
    }
  }

  private enqueue<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(act, act);
    this.queue = turn.catch(() => undefined);
    return turn;
  }
}
