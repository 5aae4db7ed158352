/// The step of the schema that makes everyone an administrator who was a manager: managers could do everything before
/// the built-in profile of administrators existed.
enum AdministratorSchema {
    static let step = """
        UPDATE agent SET body = CAST(json_set(CAST(body AS TEXT), '$.role', 'administrator') AS BLOB)
        WHERE json_extract(CAST(body AS TEXT), '$.role') = 'manager';

        """
}
