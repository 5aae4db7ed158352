import { HTTPProblem } from "../../../client/core/api";
import { type Json } from "../../../client/core/parse";
import { type Invitation, linkOf, type NewLink } from "./person";

/** Makes and revokes the links with which people set a password: docs/protocol.md section 1. */
export class PasswordLinks {
  constructor(
    private readonly ask: (method: string, path: string, body?: object) => Promise<Json>,
    private readonly changed: () => Promise<void>,
  ) {}

  /** Invites a person. Returns their link, or the error code of a refusal. */
  invite(invitation: Invitation): Promise<NewLink | string> {
    return this.made("/v1/agents", invitation);
  }

  /** Makes a link with which a person sets a password, in place of the one before. */
  renew(id: string): Promise<NewLink | string> {
    return this.made(`/v1/agents/${encodeURIComponent(id)}/link`, {});
  }

  /** Revokes the link of a person. Returns the error code of a refusal. */
  async revoke(id: string): Promise<string | undefined> {
    try {
      await this.ask("DELETE", `/v1/agents/${encodeURIComponent(id)}/link`);
      await this.changed();
      return undefined;
    } catch (error) {
      return codeOf(error);
    }
  }

  private async made(path: string, body: object): Promise<NewLink | string> {
    try {
      const link = linkOf((await this.ask("POST", path, body))["link"]);
      await this.changed();
      return link ?? "unavailable";
    } catch (error) {
      return codeOf(error);
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof HTTPProblem ? error.code : "network";
}
