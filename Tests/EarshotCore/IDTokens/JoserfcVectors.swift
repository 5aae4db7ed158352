/// Keys and tokens that joserfc 1.6.5 made: a second opinion about what a good token is.
enum JoserfcVectors {
    /// The tokens are for `TestProvider.issuer` and `TestProvider.audience`, from `TestProvider.now` for ten minutes.
    static let tokens = [
        (
            "RS256",
            """
            eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiIsImtpZCI6InJzYS0xIn0.eyJpc3MiOiJodHRwczovL2lkLmJyYW5kLmV4YW1wbGUi\
            LCJhdWQiOiJlYXJzaG90Iiwic3ViIjoicGVyc29uLTciLCJpYXQiOjE3NjM3NTc2MDAsImV4cCI6MTc2Mzc1ODIwMH0.E2FyO65c\
            eqp85TwTmL_pGzg437-Hb2NL1Ff9pV38JsHDdUQ7NZQ2hWKDd2FVox8fpLRmvy1pr6YfuBKTuoEyg8L1SLpp3pd9CzR6HSnZSuDl\
            G_rxUY7Cv9BhM9TTvv5CafoAiPQT3tOflpqB762kp6qAvCUMLlR_8ykt-VjJFawNwiBX44grGKsGzxKxlNNOURKNDOQD4PRYbNPP\
            br8KwI9UjUbda99D_ZBKLhO0PnOETFbNRDXhg--gIthIJaSUe1kMGtMn3STU-fYTupsKXVPuRS8NXRQaEbsKBfSS3C2XQhrtiYUa\
            Zm3YzL23nvp2xgSkNpLsu6HRtLIzxdbSaw
            """
        ),
        (
            "ES256",
            """
            eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkLmJyYW5kLmV4YW1wbGUiL\
            CJhdWQiOiJlYXJzaG90Iiwic3ViIjoicGVyc29uLTciLCJpYXQiOjE3NjM3NTc2MDAsImV4cCI6MTc2Mzc1ODIwMH0.knTjSOBav\
            lmZGYig5u9B0Sdycr1pNlq_eaGVYGTdrom8ndnng4oI-GLDuElfBAZF7T7QFpbk4UtwjU1ZLh7SUw
            """
        ),
        (
            "EdDSA",
            """
            eyJ0eXAiOiJKV1QiLCJhbGciOiJFZERTQSIsImtpZCI6ImVkLTEifQ.eyJpc3MiOiJodHRwczovL2lkLmJyYW5kLmV4YW1wbGUiL\
            CJhdWQiOiJlYXJzaG90Iiwic3ViIjoicGVyc29uLTciLCJpYXQiOjE3NjM3NTc2MDAsImV4cCI6MTc2Mzc1ODIwMH0.rdxTi-pG6\
            9-d7WG5QXx5ODkYOJrvIV_kDQdZXHP6EaqEexnmTCq6_xvdd1zpAiJ-0p2xm8Zpanlg4y85WnO7Ag
            """
        ),
    ]

    /// The public keys in the order of the tokens.
    static let pems = [
        """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAntFjfGHTi2X/Y8aPJuau
        6Dt6jtuZmJYMbRzjTD67Zj3RubQk+6m5Y1ju/CsX6+hGj5ocAX7Y5goD9+cqugwe
        mIu76kDZrnVGvoy86SQgYa38nvo8KpJ0qAKXqeLI/y3Z/l2tkkAroDFOczUzLPgX
        2dqCiZNKJXw+kdZ4D7lGU+cZtdEIufwmNye0fgBRY+HifSJy2D8ePdqYflDajzdK
        56gkRuMMj7bCy2AWulIP3gFce7jVJ/3BUBgBNf2tPnmtqBr0a/kPpnfn0Db4B9QY
        5Pp7McXmSdXykpSTjPt410rWwfgXsx8ygg8oG7vix72AYm4IGOkXiWaoKxuXdFfc
        3QIDAQAB
        -----END PUBLIC KEY-----
        """,
        """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEz+QA8Q/Pgpr99WkXuBglEsa336+D
        R4uMWwXLlh34tFiqHm/XfSULdAuKS+dxj/ZEPt/Oig8qQYpfg0FaEEXEFg==
        -----END PUBLIC KEY-----
        """,
        """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAAOqD1WSjqDO6FCu+Ufig0KUOZ9S4onoEBsKFA0p8Gec=
        -----END PUBLIC KEY-----
        """,
    ]

    static let jwks = """
        {"keys":[{"kid":"rsa-1","n":"ntFjfGHTi2X_Y8aPJuau6Dt6jtuZmJYMbRzjTD67Zj3RubQk-6m5Y1ju_CsX6-hGj5ocAX7\
        Y5goD9-cqugwemIu76kDZrnVGvoy86SQgYa38nvo8KpJ0qAKXqeLI_y3Z_l2tkkAroDFOczUzLPgX2dqCiZNKJXw-kdZ4D7lGU-c\
        ZtdEIufwmNye0fgBRY-HifSJy2D8ePdqYflDajzdK56gkRuMMj7bCy2AWulIP3gFce7jVJ_3BUBgBNf2tPnmtqBr0a_kPpnfn0Db\
        4B9QY5Pp7McXmSdXykpSTjPt410rWwfgXsx8ygg8oG7vix72AYm4IGOkXiWaoKxuXdFfc3Q","e":"AQAB","kty":"RSA"},{"k\
        id":"ec-1","crv":"P-256","x":"z-QA8Q_Pgpr99WkXuBglEsa336-DR4uMWwXLlh34tFg","y":"qh5v130lC3QLikvncY_2\
        RD7fzooPKkGKX4NBWhBFxBY","kty":"EC"},{"kid":"ed-1","crv":"Ed25519","x":"AOqD1WSjqDO6FCu-Ufig0KUOZ9S4\
        onoEBsKFA0p8Gec","kty":"OKP"}]}
        """
}
