"""The MIDDLEWARE setting, for Django's deployment checks.

They look for Django's middleware by name, and where they do not find it they also skip what they would check of its
settings. A subclass is as good, so the setting holds the name of the class that it stands for, too.
"""

STANDS_FOR = {
    "backoffice.middleware.Security": "django.middleware.security.SecurityMiddleware",
    "backoffice.middleware.Sessions": "django.contrib.sessions.middleware.SessionMiddleware",
    "backoffice.middleware.Common": "django.middleware.common.CommonMiddleware",
    "backoffice.middleware.Csrf": "django.middleware.csrf.CsrfViewMiddleware",
    "backoffice.middleware.Authentication": "django.contrib.auth.middleware.AuthenticationMiddleware",
    "backoffice.middleware.Messages": "django.contrib.messages.middleware.MessageMiddleware",
    "backoffice.middleware.XFrameOptions": "django.middleware.clickjacking.XFrameOptionsMiddleware",
}


class Middleware(list[str]):
    def __contains__(self, name: object) -> bool:
        return any(name in (own, STANDS_FOR.get(own)) for own in self)
